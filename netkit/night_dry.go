package netkit

import "context"

// dryNight judges as a night would and records nothing. It looks at a few
// agents at a time, so that commands go on.
func (n *Network) dryNight(ctx context.Context, dates []Day) (NightReport, error) {
	out := NightReport{Closed: dates, Open: dates, Issued: []BadgeIssue{}, DryRun: true}
	var err error
	if out.AsOf, err = view(ctx, n, func(s *state) (AsOf, error) { return s.asOf(s.root.at), nil }); err != nil {
		return out, err
	}
	seen := map[BadgeIssue]bool{} // without a date
	for _, date := range dates {
		for from, end := uint32(0), false; !end; {
			var to, judged uint32
			issues, err := view(ctx, n, func(s *state) ([]badgeIssued, error) {
				var issues []badgeIssued
				to, judged = s.walkNight(from, date, func(i uint32, p *party) { issues = s.judge(i, p, date, issues) })
				end, out.AsOf = to == s.parties.len(), s.asOf(s.root.at)
				return issues, nil
			})
			if err != nil {
				return out, err
			}
			from, out.Judged = to, out.Judged+uint64(judged)
			for _, f := range issues {
				if key := (BadgeIssue{Agent: f.Agent, Badge: f.Badge}); !seen[key] {
					seen[key] = true
					out.Issued = append(out.Issued, BadgeIssue{f.Agent, f.Badge, f.Date})
				}
			}
		}
	}
	out.IssuedCount = uint64(len(out.Issued))
	return out, nil
}
