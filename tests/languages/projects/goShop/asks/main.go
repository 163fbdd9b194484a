package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for count := 1; lines.Scan(); count++ {
		fmt.Printf("%d: %s\n", count, lines.Text())
	}
}
