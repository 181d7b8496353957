import type { Locale } from "~/domain/locales"
import { type Cell, csvFile } from "~/http/csv"

/** A CSV file that is downloaded, as spreadsheets in the reader's language separate it. */
export function csvDownload(
  name: string,
  { locale, head, rows }: { locale: Locale; head: readonly string[]; rows: readonly (readonly Cell[])[] },
): Response {
  const separator = locale.iso.startsWith("en") ? "," : ";"
  return new Response(csvFile(head, rows, { separator }), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
    },
  })
}
