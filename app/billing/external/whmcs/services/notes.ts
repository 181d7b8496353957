import type { FormFields } from "~/http/form-client.server"

/** The customer's own words stand under this line in the admin notes of a service; what staff write stands above it. */
const CUSTOMER = "— customer —"
/** Stands there while a line is ended in order to be made again at once: otherwise it has been ended for good. */
const RESTARTING = "— restarting —"

type Notes = { readonly staff: string; readonly customer: string; readonly restarting: boolean }

export function notesIn(text: string): Notes {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const restarting = lines.includes(RESTARTING)
  const kept = lines.filter((line) => line !== RESTARTING)
  const at = kept.indexOf(CUSTOMER)
  const staff = (at < 0 ? kept : kept.slice(0, at)).join("\n").trim()
  return { staff, customer: at < 0 ? "" : kept.slice(at + 1).join("\n"), restarting }
}

/** UpdateClientProduct takes an empty text for no change: notes are taken away in another way. */
export function notesChange(notes: Notes): FormFields {
  const text = notesText(notes)
  return text === "" ? { unset: ["notes"] } : { notes: text }
}

export function notesText({ staff, customer, restarting }: Notes): string {
  return [
    ...(staff === "" ? [] : [staff]),
    ...(restarting ? [RESTARTING] : []),
    ...(customer === "" ? [] : [CUSTOMER, customer]),
  ].join("\n")
}
