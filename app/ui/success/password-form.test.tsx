import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { PasswordForm } from "./password-form"

const form = { serviceId: "service", errors: {}, done: false }
const isOpen = (document: Awaited<ReturnType<typeof rendered>>) =>
  elements(document, (it) => it.tagName === "details" && attribute(it, "open") !== null).length > 0

test("sends the new password for the service of the page, and says how long it has to be", async () => {
  const document = await rendered(<PasswordForm {...form} />)
  const [sent] = formsIn(document)
  expect(sent?.submission(sent.button({}), { password: "long enough" }).entries).toEqual([
    ["serviceid", "service"],
    ["password", "long enough"],
    ["intent", "password"],
  ])
  expect(textOf(document)).toContain("At least 10 characters.")
})

test("stays closed until it is wanted or something is wrong with it", async () => {
  expect(isOpen(await rendered(<PasswordForm {...form} />))).toBe(false)
  const refused = await rendered(
    <PasswordForm {...form} errors={{ password: ["password.tooShort"] }} />,
    "de-de",
  )
  expect(isOpen(refused)).toBe(true)
  expect(textOf(refused)).toContain("Dieses Passwort ist zu kurz.")
})

test("says when the password has been saved", async () => {
  const [body] = elements(
    await rendered(<PasswordForm {...form} done />),
    (it) => attribute(it, "role") === "status",
  )
  expect(body && textOf(body)).toBe("Your password is saved. You can sign in with it from now on.")
})
