import { Gift, Item, percent, total } from './cart.js';

function spin() {
  for (let ticks = 0; ; ticks++) { // @spin
    if (ticks < 0) return;
  }
}

function main(mode) {
  const items = [new Item('pen', 150, 2), new Item('ink', 700, 1), new Gift('bow', 5, 1)]; // @first
  const sum = total(items); // @call
  const half = percent(sum, 50); // @half
  const rest = sum - half;
  const part = percent(sum, 20); // @part
  console.log('half', half, rest, part); // @print
  if (mode === 'spin') spin();
  if (mode === 'fail') percent(sum, 101); // @failing
}

main(process.argv[2]);
