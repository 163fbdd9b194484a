package cart

// Item is one line of a cart.
type Item struct {
	Name  string
	Qty   int
	Price int
}

// Cart is what somebody wants to buy.
type Cart struct {
	Owner  string
	Items  []Item
	Prices map[string]int
}

// New makes an empty cart.
func New(owner string) *Cart {
	return &Cart{Owner: owner, Prices: map[string]int{}}
}

// Add puts an item into the cart.
func (c *Cart) Add(name string, qty, price int) {
	c.Items = append(c.Items, Item{name, qty, price})
	c.Prices[name] = price
}

// Total is the price of everything.
func (c *Cart) Total() int {
	sum := 0
	for _, item := range c.Items {
		sum += item.Qty * item.Price
	}
	return sum
}
