package cart

// Priced is whatever costs something.
type Priced interface{ Price() int }

// Item is one line of a cart.
type Item struct {
	Name  string
	Cents int
	Count int
}

func (i Item) Price() int { return i.Cents * i.Count }

type Gift struct{ Name string }

func (g Gift) Price() int { return 0 }

// Total is the price of everything.
func Total(items []Priced) int {
	sum := 0
	for _, item := range items {
		cost := item.Price()
		sum = sum + cost // @add
	}
	return sum // @return
}

func Percent(sum int, part int) int {
	if part > 100 { // @percent
		panic("part above 100") // @fail
	}
	product := sum * part // @product
	return product / 100  // @divide
}

func unused() int { // @unused
	return 1
}
