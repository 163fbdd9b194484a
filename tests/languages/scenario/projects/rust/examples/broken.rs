fn main() {
    let table: HashMap<i32, i32> = Default::default();
    println!("{}", table.len());
}
