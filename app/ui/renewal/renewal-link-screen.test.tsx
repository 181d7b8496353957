import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { RenewalLinkScreen } from "./renewal-link-screen"

const signIn = { text: "Sign in to see everything.", action: "Sign in", path: "/success?signin" }
const shown = { heading: "Renew: 12 months", notes: [], unpaid: null, renewal: null, lastTerm: null, signIn }

test("the page of a renewal link says in its live region that the renewal was cancelled", async () => {
  const cancelled = "Your order is cancelled."
  const screen = <RenewalLinkScreen {...shown} isPaid={false} cancelled={cancelled} lastResult={null} />
  const regions = elements(await rendered(screen), (it) => attribute(it, "role") === "status")
  expect(regions.map(textOf)).toEqual([cancelled])
})
