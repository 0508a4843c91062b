package web_test

import "testing"

// TestLiveMarket watches an open page while another client acts.
func TestLiveMarket(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	b := browse(t, w)
	b.open("/market")
	b.says("Wafer supply, weekly")
	b.holds(`document.querySelector("[data-live-state]:not([hidden])")`)
	b.eval("window.sameDocument = 1", nil)
	b.reach("select[name=kind]")

	w.open("Grid watch", "Substations")
	b.says("Grid watch")
	w.execute(ada)
	b.says("98.00")
	b.holds(`window.sameDocument === 1 && document.activeElement.matches("select[name=kind]")`) // neither reloaded nor robbed of the focus
}

// TestLiveBlackout watches a crisis begin and end on an open page.
func TestLiveBlackout(t *testing.T) {
	w := found(t)
	b := browse(t, w)
	b.open("/market/" + id(w.contract))
	b.says("fabs of the north")
	b.holds(`document.querySelector("[data-live-state]:not([hidden])")`)
	p0 := w.crisis()
	b.says("P0 · Breaking crisis")
	b.says("Grid failure in the north")
	b.says("Suppressed")
	b.holds(`!document.documentElement.outerHTML.includes("fabs of the north")`)
	w.post(w.op, "/api/net/dispatches/"+id(p0)+"/resolve", `{"reason":"power is back"}`, nil)
	b.holds(`!document.body.innerText.includes("Breaking crisis")`)
	b.says("fabs of the north")
}
