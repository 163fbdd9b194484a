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
export const endMarkedAfterParent = `read -r _
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  found=$(grep -lsaz "^$1" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -9 "\${pid%/environ}" 2>/dev/null; done
  sleep 0.05
done`;
