def area(width: int) -> int:
    return os.path.join(width)
