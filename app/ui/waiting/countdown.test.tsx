import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { placedAt } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { Countdown } from "./countdown"

async function leftOf(left: number) {
  const until = placedAt + DAY
  const page = await rendered(
    <Countdown from={placedAt} until={until} now={until - left} payBy="Pay today." />,
  )
  const [region] = elements(page, (it) => attribute(it, "aria-live") !== null)
  return region && { text: textOf(region), live: attribute(region, "aria-live") }
}

test.each([
  [5 * HOUR + 16 * MINUTE, "5 hr 16 min", "off"],
  [5 * HOUR + 15 * MINUTE, "5 hr 15 min", "polite"],
  [5 * HOUR + 14 * MINUTE, "5 hr 14 min", "off"],
  [HOUR, "1 hr", "polite"],
  [6 * MINUTE, "6 min", "off"],
  [5 * MINUTE, "5 min", "polite"],
  [1, "1 min", "polite"],
])(
  "with %d ms left everybody sees the minute, and is told by the quarter of an hour",
  async (left, text, live) => {
    expect(await leftOf(left)).toMatchObject({ text: expect.stringContaining(text), live })
  },
)
