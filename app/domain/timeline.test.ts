import { expect, test } from "vitest"
import { isDelayed, type TimelineEvent, type TimelineKind, withoutReferences } from "./timeline"

const events = (...kinds: TimelineKind[]): TimelineEvent[] =>
  kinds.map((kind, at) => ({ kind, at, amount: null, reference: `reference ${at}` }))

test("the buyer's timeline has every event and none of the operator's references", () => {
  expect(withoutReferences(events("placed", "flagged"))).toEqual([
    { kind: "placed", at: 0, amount: null, reference: null },
    { kind: "flagged", at: 1, amount: null, reference: null },
  ])
})

test.each<[string, TimelineKind[], boolean]>([
  ["nothing has happened", [], false],
  ["it has only been paid", ["placed", "paid"], false],
  ["the first try has failed", ["placed", "paid", "provisioning-delayed"], true],
  ["something else has happened since", ["provisioning-delayed", "restarted"], true],
  ["it works after all", ["provisioning-delayed", "provisioned"], false],
  ["it is made anew", ["provisioning-delayed", "recreated"], false],
  ["making it anew has failed, too", ["provisioned", "recreated", "provisioning-delayed"], true],
])("when %s, setting up is delayed: %3$s", (_, kinds, delayed) => {
  expect(isDelayed(events(...kinds))).toBe(delayed)
})
