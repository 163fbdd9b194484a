pub trait Priced {
    fn price(&self) -> i64;
}

/// One line of a cart.
pub struct Item {
    pub name: String,
    pub cents: i64,
    pub count: i64,
}

impl Priced for Item {
    fn price(&self) -> i64 {
        self.cents * self.count
    }
}

pub struct Gift;

impl Priced for Gift {
    fn price(&self) -> i64 {
        0
    }
}

pub fn total(items: &[Item]) -> i64 {
    let mut sum = 0;
    for item in items {
        let cost = item.price();
        sum = sum + cost; // @add
    }
    sum // @return
}

pub fn percent(sum: i64, part: i64) -> i64 {
    if part > 100 { // @percent
        panic!("part above 100"); // @fail
    }
    let product = sum * part; // @product
    product / 100 // @divide
}

#[allow(dead_code)]
fn unused() -> i64 { // @unused
    1
}
