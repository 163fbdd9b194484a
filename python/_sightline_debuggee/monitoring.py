"""Python 3.12 and later report events through sys.monitoring, which is not off by itself while we stand in the
program.
"""


def suspend():
    """Turns events off in this thread; answers with the function that turns them on again."""
    from _pydevd_bundle.pydevd_constants import PYDEVD_USE_SYS_MONITORING

    if not PYDEVD_USE_SYS_MONITORING:
        return lambda: None
    from _pydevd_sys_monitoring import pydevd_sys_monitoring

    suspend_tracing = getattr(pydevd_sys_monitoring, "suspend_current_thread_tracing", None)
    if suspend_tracing is None or not suspend_tracing():
        return lambda: None
    return pydevd_sys_monitoring.resume_current_thread_tracing
