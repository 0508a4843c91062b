package netkit

// newReview gives a constitution today's numbers of review, with panels of three,
// and lets agents of every tier report.
func newReview(c *Constitution) {
	c.Review = Version1().Review
	c.Review.ReporterTier, c.Review.LargestPanel = Unverified, 0
	c.Review.ReportReward, c.Review.IncomeDays, c.Review.RefundForReward = 2*Credit, 0, false // as before they changed
}
