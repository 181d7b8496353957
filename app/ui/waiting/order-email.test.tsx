import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements } from "../../../tests/support/html/html-tree"
import { OrderEmail } from "./order-email"

const shown = { email: "ana@example.test", isCorrectable: true, isUnreachable: false, isOpen: false }
const addresses = async (isOpen: boolean) =>
  elements(
    await rendered(<OrderEmail shown={{ ...shown, isOpen }} lastResult={null} />),
    (it) => attribute(it, "type") === "email",
  )

test("the form for another address appears where it was asked for, with the cursor in it", async () => {
  expect(await addresses(false)).toEqual([])
  const [field] = await addresses(true)
  expect(field && [attribute(field, "value"), attribute(field, "autofocus")]).toEqual([shown.email, ""])
})
