package install

// MainCheckout gives the main checkout of the linked worktree that the project
// lies in, or "" if it lies in none.
func (w Where) MainCheckout() string {
	main := mainCheckoutOf(w.Project)
	if main == repository(w.Project) {
		return ""
	}
	return main
}
