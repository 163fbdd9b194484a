use shop::{by_name, total, Discount, Item, Priced};

fn main() {
    let items = vec![Item { name: "pen".to_string(), cents: 150, quantity: 2 }];
    let names = by_name(&items);
    let sum = total(&items, &Discount::None);
    println!("{sum} {names:?} {}", items[0].price());
    let reduced = total(&items, &Discount::Fixed { cents: 400 });
    println!("{reduced}");
}
