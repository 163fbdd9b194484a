//! A small shop.
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Discount {
    None,
    Percent(u32),
    Fixed { cents: u64 },
}

#[derive(Debug, Clone)]
pub struct Item {
    pub name: String,
    pub cents: u64,
    pub quantity: u32,
}

pub trait Priced {
    fn price(&self) -> u64;
}

impl Priced for Item {
    fn price(&self) -> u64 {
        self.cents * u64::from(self.quantity)
    }
}

pub fn total(items: &[Item], discount: &Discount) -> u64 {
    let mut sum = 0;
    for item in items {
        sum += item.price();
    }
    match discount {
        Discount::None => sum,
        Discount::Percent(percent) => sum * u64::from(100 + percent) / 100,
        Discount::Fixed { cents } => sum - cents,
    }
}

pub fn by_name(items: &[Item]) -> HashMap<String, u64> {
    items.iter().map(|item| (item.name.clone(), item.price())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items() -> Vec<Item> {
        vec![Item { name: "pen".into(), cents: 150, quantity: 2 }, Item { name: "ink".into(), cents: 700, quantity: 1 }]
    }

    #[test]
    fn sums() {
        assert_eq!(total(&items(), &Discount::None), 1000);
    }

    #[test]
    fn takes_a_percentage_off() {
        let reduced = total(&items(), &Discount::Percent(10));
        assert_eq!(reduced, 900);
    }

    fn dearest(items: &[Item]) -> (u32, f32) {
        items.iter().map(|item| (item.quantity, item.cents as f32 / 100.0)).next().unwrap()
    }

    #[test]
    fn finds_the_dearest() {
        assert!(dearest(&items()) == (1, 7.0) && !items().is_empty());
    }
}
