import { parseWithZod } from "@conform-to/zod/v4"
import { expect, test } from "vitest"
import type { z } from "zod"
import { DeviceForm, NotesForm, PasswordForm, ServiceIntent, SignInForm } from "./service-form"

/** Parses a form: its values, or the message keys by field. */
function sent(schema: z.ZodObject, fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const submission = parseWithZod(form, { schema })
  return submission.status === "success" ? submission.value : submission.error
}

const device = (deviceAddress: string) => sent(DeviceForm, { deviceAddress })
const notes = (text: string) => sent(NotesForm, { notes: text })

test.each(["00:1a:79:ab:cd:ef", " 00-1A-79-AB-CD-EF ", "001a79abcdef", "001a.79ab.cdef"])(
  "a device address written %j comes out as it is stored",
  (typed) => expect(device(typed)).toEqual({ deviceAddress: "00:1A:79:AB:CD:EF" }),
)

test.each(["", "living room", "00:1A:79:AB:CD", "FF:FF:FF:FF:FF:FF", "0".repeat(10_000)])(
  "what is no device's address is refused (%#)",
  (typed) => expect(device(typed)).toEqual({ deviceAddress: ["device.invalid"] }),
)

test("a device form without the field is told the same", () => {
  expect(sent(DeviceForm, {})).toEqual({ deviceAddress: ["device.invalid"] })
})

test("notes may be long, and may be taken away again", () => {
  expect(notes("x".repeat(1_000))).toEqual({ notes: "x".repeat(1_000) })
  expect(notes("")).toEqual({ notes: "" })
  expect(notes("x".repeat(1_001))).toEqual({ notes: ["success.notes.tooLong"] })
})

test("a line break in notes counts as one character, as it does where they are typed", () => {
  expect(notes("a\r\nb")).toEqual({ notes: "a\nb" })
  expect(notes(`${"x\r\n".repeat(499)}x`)).toEqual({ notes: `${"x\n".repeat(499)}x` })
})

test("space around notes does not count", () => {
  expect(notes(" living room \r\n")).toEqual({ notes: "living room" })
})

test("notes keep no character that the books cannot store", () => {
  expect(notes("living\0room")).toEqual({ notes: "livingroom" })
})

test("a password is taken as typed, spaces included", () => {
  expect(sent(PasswordForm, { password: " pass words " })).toEqual({ password: " pass words " })
})

test.each([
  ["", "password.tooShort"],
  ["x".repeat(9), "password.tooShort"],
  ["x".repeat(201), "password.tooLong"],
])("a password that is too short or too long is refused (%#)", (password, message) => {
  expect(sent(PasswordForm, { password })).toEqual({ password: [message] })
})

test("signing in needs an e-mail address and some password, and says no more than that", () => {
  const good = { email: "ana@example.test", password: "x" }
  expect(sent(SignInForm, { ...good, email: " ana@example.test " })).toEqual(good)
  expect(sent(SignInForm, {})).toEqual({
    email: ["checkout.email.invalid"],
    password: ["signIn.passwordRequired"],
  })
  expect(sent(SignInForm, { email: "ana at example", password: "x".repeat(201) })).toEqual({
    email: ["checkout.email.invalid"],
    password: ["signIn.passwordRequired"],
  })
})

test("only the buttons of the page are known", () => {
  expect(ServiceIntent.safeParse("restart").success).toBe(true)
  for (const other of ["terminate", "", null]) expect(ServiceIntent.safeParse(other).success).toBe(false)
})
