import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { OrderEmail } from "./order-email"

const shown = { email: "ana@example.test", isCorrectable: true, isUnreachable: false, isOpen: false }
const page = (isOpen: boolean) => rendered(<OrderEmail shown={{ ...shown, isOpen }} lastResult={null} />)
const addresses = async (isOpen: boolean) =>
  elements(await page(isOpen), (it) => attribute(it, "type") === "email")

test("the form for another address appears where it was asked for, with the cursor in it", async () => {
  expect(await addresses(false)).toEqual([])
  const [field] = await addresses(true)
  expect(field && [attribute(field, "value"), attribute(field, "autofocus")]).toEqual([shown.email, ""])
})

test.each([false, true])("the address is shown once, with its form open: %s", async (isOpen) => {
  const document = await page(isOpen)
  const values = elements(document, ({ tagName }) => tagName === "input").map((it) => attribute(it, "value"))
  const shownAt = [textOf(document), ...values].filter((text) => text?.includes(shown.email))
  expect(shownAt).toHaveLength(1)
})
