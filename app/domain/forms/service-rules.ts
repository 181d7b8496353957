import { deviceAddressIn } from "../services/device-address"
import { NOTES_LENGTH } from "../services/service"
import { UPSELL_QUANTITY } from "../services/upsell"
import type { FieldRule } from "./field-rules"

/** Longer than any notation with spaces copied along. */
const PASTED = 100

/** A MAC address in any of the usual notations. */
export const deviceAddressRule: FieldRule = (typed) =>
  typed.length <= PASTED && deviceAddressIn(typed) ? null : "device.invalid"

/** Notes as they are stored: browsers count a line break as one character and send two; PostgreSQL text has no NUL. */
export const storedNotes = (typed: string) => typed.replaceAll("\r\n", "\n").replaceAll("\0", "").trim()

export const notesRule: FieldRule = (typed) =>
  storedNotes(typed).length <= NOTES_LENGTH ? null : "success.notes.tooLong"

const LINE_NOTES_LENGTH = 100

/** Notes about a reseller's line. */
export const lineNotesRule: FieldRule = (typed) =>
  typed.trim().length <= LINE_NOTES_LENGTH ? null : "resellers.line.tooLong"

/** A number of extra connections. */
export const quantityRule: FieldRule = (typed) => {
  const quantity = typed.trim() === "" ? Number.NaN : Number(typed)
  const { min, max } = UPSELL_QUANTITY
  return Number.isInteger(quantity) && quantity >= min && quantity <= max ? null : "upsell.quantityProblem"
}
