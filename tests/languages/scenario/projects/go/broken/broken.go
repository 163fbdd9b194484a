package broken

func Area(width int) string {
	return strings.Repeat("x", width)
}
