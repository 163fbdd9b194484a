mod cart;

use cart::{percent, total, Gift, Item, Priced};

fn spin() {
    let mut ticks: i64 = 0;
    while ticks >= 0 {
        ticks = ticks.wrapping_add(1); // @spin
    }
}

fn main() {
    let items = vec![Item { name: "pen".to_string(), cents: 150, count: 2 }, Item { name: "ink".to_string(), cents: 700, count: 1 }]; // @first
    let sum = total(&items) + Gift.price(); // @call
    let half = percent(sum, 50); // @half
    let rest = sum - half;
    let part = percent(sum, 20); // @part
    println!("half {half} {rest} {part}"); // @print
    let mode = std::env::args().nth(1).unwrap_or_default();
    if mode == "spin" {
        spin();
    }
    if mode == "fail" {
        percent(sum, 101); // @failing
    }
}
