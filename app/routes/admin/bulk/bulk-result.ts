import { consoleRequest } from "~/context/console.server"
import { resultColumns, resultOf } from "~/flows/admin/bulk/bulk-result.server"
import { csvFile } from "~/http/csv"
import type { Route } from "./+types/bulk-result"

/** What became of each row of a run, as a CSV file without personal data. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  if (!(await services.bulk.find(params.id))) throw new Response(null, { status: 404 })
  const rows: (string | null)[][] = []
  for await (const item of resultOf(services, params.id))
    rows.push(Object.values(resultColumns).map((cellOf) => cellOf(item)))
  return new Response(csvFile(Object.keys(resultColumns), rows), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="bulk.csv"',
    },
  })
}
