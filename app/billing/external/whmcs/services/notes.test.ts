import { expect, test } from "vitest"
import { notesIn, notesText } from "./notes"

test("notesText places the customer's notes below the staff notes, and notesIn separates them", () => {
  const staff = { staff: "Called on Monday.\nKnows the panel.", customer: "", restarting: false }
  const both = notesText({ ...staff, customer: "Living room\nand kitchen" })
  expect(both).toBe("Called on Monday.\nKnows the panel.\n— customer —\nLiving room\nand kitchen")
  expect(notesIn(both)).toEqual({ ...staff, customer: "Living room\nand kitchen" })
})

test("notesIn returns no customer notes without the separator", () => {
  expect(notesIn("Do not refund")).toEqual({ staff: "Do not refund", customer: "", restarting: false })
})

test("notesText omits the separator for empty customer notes", () => {
  expect(notesText({ ...notesIn("Staff\r\n— customer —\r\nold"), customer: "" })).toBe("Staff")
  expect(notesText({ ...notesIn("— customer —\nold"), customer: "" })).toBe("")
})

test("the restart marker belongs neither to the staff notes nor to the customer's notes", () => {
  const notes = { staff: "Staff", customer: "Mine", restarting: true }
  expect(notesIn(notesText(notes))).toEqual(notes)
  expect(notesText({ ...notes, restarting: false })).not.toContain("restarting")
})
