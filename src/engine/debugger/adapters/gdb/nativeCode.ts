/** An expression of C, C++ or Rust without its comments, strings and characters, for rules about code. */
export function nativeCode(expression: string): string {
  const apart =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"([^()\\ ]{0,16})\([\s\S]*?\)\1"|r(#+)"[\s\S]*?"\2|"(?:\\.|[^"\\])*"|'(?:\\.[^']{0,9}|[^'\\\n])'/g;
  return expression.replace(apart, (found) => (found.startsWith('/') ? ' ' : '""'));
}

/** Calls that start processes, end the program, write files or speak to the network, and what belongs to gdb itself. */
export const dangerousCalls: readonly RegExp[] = [
  /\b(?:system|popen|fork|vfork|exec[lv]p?e?|execveat?|posix_spawnp?|kill|raise|abort|exit|_exit|_Exit|quick_exit|terminate)\s*\(/,
  /\b(?:open|openat|creat|fopen|freopen|fdopen|write|pwrite|fwrite|fputs|fprintf|unlink|unlinkat|remove|rename|mkdir|rmdir|chmod|chown|truncate|ftruncate|symlink|link|mmap|munmap|mprotect|ptrace|dlopen|dlsym|syscall|ioctl)\s*\(/,
  /\b(?:socket|connect|bind|listen|accept|send|sendto|sendmsg|recv|recvfrom|getaddrinfo)\s*\(/,
  /\b(?:setenv|putenv|unsetenv|clearenv|setuid|setgid|chroot|chdir|reboot|mount)\s*\(/,
  /\bstd\s*::\s*(?:process|fs|net|env|os)\s*::/,
  /\$_\w*/,
];
