import { describe, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { enEn } from "~/i18n/screen-texts/en-en"
import { anOrder } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { buying } from "../../../tests/fixtures/waiting-texts"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { PendingScreen } from "./pending-screen"
import { ReviewScreen } from "./review-screen"

describe("the review screen", () => {
  const { lines, total } = anOrder()
  const review = {
    quote: { lines, total },
    buying,
    email: "ana@example.test",
    words: { going: "Taking you to pay.example…", lead: "You’ll pay at pay.example.", button: "Continue" },
    accountCredit: money(0, "EUR"),
    draft: "key",
    error: null,
    orderId: null,
    checkoutPath: "/",
  }

  test("has one form with one button that submits the shown values", async () => {
    const [form, ...others] = formsIn(await rendered(<ReviewScreen {...review} />))
    expect(others).toEqual([])
    expect(form?.submission(form.button({}), {}).entries).toEqual([
      ["draft", "key"],
      ["total", "8901"],
    ])
  })

  test("says what is bought, until when it runs, whether it renews, and what is paid now", async () => {
    const accountCredit = money(500, "EUR")
    const document = await rendered(<ReviewScreen {...review} accountCredit={accountCredit} />)
    const text = textOf(document).replace(/\s/g, " ")
    for (const part of [
      "12 months",
      "Code WELCOME10",
      "Total €89.01",
      "From your credit − €5.00",
      "You pay now €84.01",
      "Runs until 20 November 2027, if you pay today",
      "It doesn’t renew by itself.",
      "Includes 19 % VAT.",
      "ana@example.test",
    ]) {
      expect(text).toContain(part)
    }
    const [change] = elements(document, (it) => it.tagName === "a" && textOf(it) === "Not right? Change it")
    expect(change && attribute(change, "href")).toBe("/")
  })

  test("names the total once where nothing has been paid of it", async () => {
    const text = textOf(await rendered(<ReviewScreen {...review} />))
    expect(text).toContain("You pay now €89.01")
    expect(text).not.toContain("Total")
  })

  test("says that another tab's selection was not ordered, and waits for the buyer", async () => {
    const screen = <ReviewScreen {...review} error="another" orderId="7K3QWZ9MTB" />
    const document = await rendered(screen, "de-de")
    expect(textOf(document)).toContain("Ihre Bestellung 7K3QWZ9MTB ist noch offen")
    expect(formsIn(document)).toHaveLength(2)
  })

  test("shows words of the server as they are", async () => {
    const text = "Your order 7K3QWZ9MTB is saved."
    const screen = <ReviewScreen {...review} error={{ text }} orderId="7K3QWZ9MTB" />
    const [alert] = elements(await rendered(screen), (it) => attribute(it, "role") === "alert")
    expect(alert && textOf(alert)).toContain(text)
  })
})

const { pending } = enEn

test("a pending order shows its number and that nothing is charged, without any action", async () => {
  const screen = await rendered(
    <PendingScreen
      orderId="7K3QWZ9MTB"
      words={pending}
      reloads={{ text: "Stop reloading", path: "?still=" }}
    />,
  )
  const [heading] = elements(screen, (it) => it.tagName === "h1")
  expect(heading && textOf(heading)).toBe("We’re checking your order")
  expect(textOf(screen)).toContain("Nothing has been charged")
  expect(textOf(screen)).toContain("7K3QWZ9MTB")
  expect(formsIn(screen)).toEqual([])
})
