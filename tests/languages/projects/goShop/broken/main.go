package main

func main() {
	x := 1
	println(y)
}
