package main

import (
	"fmt"
	"os"

	"example.com/shop/cart"
)

func spin() {
	ticks := 0
	for ticks >= 0 {
		ticks++ // @spin
	}
}

func main() {
	items := []cart.Priced{cart.Item{Name: "pen", Cents: 150, Count: 2}, cart.Item{Name: "ink", Cents: 700, Count: 1}, cart.Gift{Name: "bow"}} // @first
	sum := cart.Total(items)      // @call
	half := cart.Percent(sum, 50) // @half
	rest := sum - half
	part := cart.Percent(sum, 20) // @part
	fmt.Println("half", half, rest, part) // @print
	mode := append(os.Args, "")[1]
	if mode == "spin" {
		spin()
	}
	if mode == "fail" {
		cart.Percent(sum, 101) // @failing
	}
}
