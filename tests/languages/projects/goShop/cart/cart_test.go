package cart

import "testing"

func TestTotal(t *testing.T) {
	for _, tc := range []struct {
		name string
		qty  int
		want int
	}{
		{name: "one pen", qty: 1, want: 150},
		{name: "two pens", qty: 2, want: 301},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := New("bob")
			c.Add("pen", tc.qty, 150)
			got := c.Total()
			if got != tc.want {
				t.Errorf("Total() = %d, want %d", got, tc.want)
			}
		})
	}
}

func TestPanics(t *testing.T) {
	c := New("eve")
	index := 3
	t.Log(c.Items[index])
}

func TestFine(t *testing.T) {}
