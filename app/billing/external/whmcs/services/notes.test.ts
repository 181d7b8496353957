import { expect, test } from "vitest"
import { notesIn, notesText } from "./notes"

test("the customer's words stand below what staff have written, and neither touches the other", () => {
  const staff = { staff: "Called on Monday.\nKnows the panel.", customer: "", restarting: false }
  const both = notesText({ ...staff, customer: "Living room\nand kitchen" })
  expect(both).toBe("Called on Monday.\nKnows the panel.\n— customer —\nLiving room\nand kitchen")
  expect(notesIn(both)).toEqual({ ...staff, customer: "Living room\nand kitchen" })
})

test("notes that only staff have written are no words of the customer's", () => {
  expect(notesIn("Do not refund")).toEqual({ staff: "Do not refund", customer: "", restarting: false })
})

test("a customer who clears his words leaves nothing behind", () => {
  expect(notesText({ ...notesIn("Staff\r\n— customer —\r\nold"), customer: "" })).toBe("Staff")
  expect(notesText({ ...notesIn("— customer —\nold"), customer: "" })).toBe("")
})

test("a restart that is under way is a line of its own, and no words of anybody's", () => {
  const notes = { staff: "Staff", customer: "Mine", restarting: true }
  expect(notesIn(notesText(notes))).toEqual(notes)
  expect(notesText({ ...notes, restarting: false })).not.toContain("restarting")
})
