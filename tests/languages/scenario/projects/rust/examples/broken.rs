struct Area {
    width: i32,
}

fn main() {
    let area = Area {};
    println!("{}", area.width);
}
