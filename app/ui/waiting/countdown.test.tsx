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
  [5 * HOUR + 16 * MINUTE, "5 hours 16 minutes", "off"],
  [5 * HOUR + 15 * MINUTE, "5 hours 15 minutes", "polite"],
  [5 * HOUR + 14 * MINUTE, "5 hours 14 minutes", "off"],
  [HOUR, "1 hour left", "polite"],
  [6 * MINUTE, "6 minutes", "off"],
  [5 * MINUTE, "5 minutes", "polite"],
  [1, "1 minute left", "polite"],
])(
  "with %d ms left everybody sees the minute, and is told by the quarter of an hour",
  async (left, text, live) => {
    expect(await leftOf(left)).toMatchObject({ text: expect.stringContaining(text), live })
  },
)
