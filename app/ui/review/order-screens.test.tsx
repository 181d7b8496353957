import { describe, expect, test } from "vitest"
import { money } from "~/domain/money"
import { anOrder } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { PendingScreen } from "./pending-screen"
import { ReviewScreen } from "./review-screen"

describe("the review screen", () => {
  const { lines, total } = anOrder()
  const review = {
    quote: { lines, total },
    email: "ana@example.test",
    gatewayHost: "pay.example",
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

  test("says that another tab's selection was not ordered, and waits for the buyer", async () => {
    const screen = <ReviewScreen {...review} error="another" orderId="7K3QWZ9MTB" />
    const document = await rendered(screen, "de-de")
    expect(textOf(document)).toContain("schon diese offene Bestellung 7K3QWZ9MTB")
    expect(formsIn(document)).toHaveLength(2)
  })

  test("shows that the order is kept when the payment could not be created", async () => {
    const screen = <ReviewScreen {...review} error="payment-not-opened" orderId="7K3QWZ9MTB" />
    const [alert] = elements(await rendered(screen), (it) => attribute(it, "role") === "alert")
    expect(alert && textOf(alert)).toContain("Your order 7K3QWZ9MTB is kept.")
  })
})

test("a pending order shows its number and that nothing is charged, without any action", async () => {
  const screen = await rendered(<PendingScreen orderId="7K3QWZ9MTB" />)
  const [heading] = elements(screen, (it) => it.tagName === "h1")
  expect(heading && textOf(heading)).toBe("We are checking your order")
  expect(textOf(screen)).toContain("Nothing has been charged")
  expect(textOf(screen)).toContain("7K3QWZ9MTB")
  expect(formsIn(screen)).toEqual([])
})
