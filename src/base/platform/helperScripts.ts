import type { Helper } from './platform.ts';

/**
 * What small shells do beside a process of ours that can no longer act itself: it hangs, or it was killed. Each hears of the end of its
 * parent by the end of its input, which nothing can keep from coming.
 */

/**
 * Ends the parent that is still there after some seconds. It leaves as soon as its input ends, so it never ends a process that merely
 * got the same number.
 */
export const endParentAfter = `exec 3<&0
sleep "$1" & s=$!
(cat <&3 >/dev/null; kill $s 2>/dev/null) &
wait $s && kill -9 $PPID`;

/**
 * When the parent is gone, however it went, ends every process whose environment has a variable that begins like this. Looks again
 * until a look finds none: children are born while it looks.
 */
export const endMarkedByFiles = `read -r _
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  found=$(grep -lsaz "^$1" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -9 "\${pid%/environ}" 2>/dev/null; done
  sleep 0.05
done`;

/** The same by `ps`. The last letter of the name is in brackets: the pattern then matches neither this shell nor the search itself. */
export function endMarkedByPs(everyWithEnvironment: string, variable: string, beginning: string): Helper {
  const script = `read -r _
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  found=$(ps ${everyWithEnvironment} -o pid=,command= | grep -a " $1" | while read -r pid _; do echo "$pid"; done)
  [ -n "$found" ] || exit 0
  for pid in $found; do kill -9 "$pid" 2>/dev/null; done
  sleep 0.05
done`;
  return { script, argument: `${variable.slice(0, -1)}[${variable.slice(-1)}]=${beginning}` };
}
