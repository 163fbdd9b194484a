package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"example.com/shop/cart"
)

type Status int

type Shape interface{ Area() float64 }

type Square struct{ Side float64 }

func (s Square) Area() float64 { return s.Side * s.Side }

func worker(id int, jobs <-chan int, results chan<- int, wg *sync.WaitGroup) {
	defer wg.Done()
	for job := range jobs {
		results <- job * id
	}
}

func main() {
	order := cart.New("ann")
	order.Add("pen", 2, 150)
	order.Add("book", 1, 1200)
	var shape Shape = Square{Side: 3}
	var empty []string
	err := errors.New("boom")
	when := time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC)
	wrapped := fmt.Errorf("order %d: %w", 7, err)
	status := Status(3)
	grid := [][]int{{1, 2}, {3, 4}}
	big := make([]int, 1000)
	bytes := []byte("hello")
	var nothing *cart.Item
	jobs, results := make(chan int, 10), make(chan int, 10)
	var wg sync.WaitGroup
	for id := 1; id <= 3; id++ {
		wg.Add(1)
		go worker(id, jobs, results, &wg)
	}
	for i := 0; i < 5; i++ {
		jobs <- i
	}
	total := order.Total()
	fmt.Println("total", total, os.Args[1:])
	close(jobs)
	wg.Wait()
	_, _, _, _, _, _, _, _, _, _ = shape, empty, when, wrapped, status, grid, big, bytes, nothing, results
	fmt.Fprintln(os.Stderr, "to stderr")
	fmt.Println(order.Items[5])
}
