import { readFile, writeFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { readCatalogueFile, writeCatalogueFile } from "./billing/embedded/catalogue-file"
import type { EmbeddedBooks } from "./billing/embedded/open-embedded.server"
import { type Environment, readConfig } from "./config.server"
import type { Instant } from "./domain/calendar"
import { type Money, toDecimal } from "./domain/money"
import { orderStatuses } from "./domain/order-status"
import { openBooks } from "./wiring.server"

const MANUAL = `npm run books -- COMMAND

  orders [--status STATUS] [--most N]   the newest orders first
  order NUMBER                          one order: lines, payments, service, timeline
  jobs                                  work that was given up and waits for you
  catalogue export FILE                 the price list and promotions, to edit
  catalogue import FILE                 makes the price list exactly what the file says
`

type Answer = string | Promise<string>
type Command = (books: EmbeddedBooks, words: readonly string[], options: Options) => Answer
type Options = { status?: string | undefined; most?: string | undefined }

/** The operator's command line. Writes to standard output; answers the exit code: 0, or 2 when it was not understood. */
export async function booksCommand(line: readonly string[], environment: Environment): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...line],
    allowPositionals: true,
    strict: false,
    options: { status: { type: "string" }, most: { type: "string" } },
  })
  const [name = "", ...words] = positionals
  const command = commands[name]
  if (!command) {
    process.stderr.write(MANUAL)
    return 2
  }
  const books = await openBooks(readConfig(environment))
  try {
    process.stdout.write(`${await command(books, words, values as Options)}\n`)
    return 0
  } finally {
    await books.close()
  }
}

const commands: Readonly<Record<string, Command | undefined>> = {
  orders: listOrders,
  order: showOrder,
  jobs: listJobs,
  catalogue: moveCatalogue,
}

async function listOrders({ operator }: EmbeddedBooks, _: readonly string[], { status, most }: Options) {
  const wanted = orderStatuses.find((it) => it === status)
  if (status && !wanted) return `There is no status "${status}". There are: ${orderStatuses.join(", ")}.`
  const orders = await operator.orders({ most: Number(most ?? 20), status: wanted })
  if (orders.length === 0) return "No orders."
  return orders
    .map((it) => [
      time(it.placedAt),
      it.id,
      it.status.padEnd(16),
      `${amount(it.received)} of ${amount(it.total)}`,
      it.email,
    ])
    .map((columns) => columns.join("  "))
    .join("\n")
}

async function showOrder({ operator }: EmbeddedBooks, [number = ""]: readonly string[]) {
  const shown = await operator.order(number)
  if (!shown) return `No order "${number}".`
  const { order, service } = shown
  return [
    `Order ${order.id}  ${order.status}  ${shown.email}  ${order.gateway}  ${order.locale}`,
    ...order.lines.map(
      (line) => `  ${amount(line.amount).padStart(14)}  ${"name" in line ? line.name : line.code}`,
    ),
    `  ${amount(order.total).padStart(14)}  total, ${amount(order.received)} received, to be paid by ${time(order.deadline)}`,
    service &&
      `Service ${service.id}  ${service.status}  ${service.username}  ${service.host ?? "not set up yet"}`,
    "Payments",
    ...shown.movements.map((it) =>
      [" ", amount(it.amount).padStart(14), it.account, it.gateway, it.transactionId ?? ""].join(" "),
    ),
    "What has happened",
    ...shown.timeline.map(
      (it) => `  ${time(it.at)}  ${it.kind}  ${it.amount ? amount(it.amount) : ""}  ${it.reference ?? ""}`,
    ),
  ]
    .filter(Boolean)
    .join("\n")
}

async function listJobs({ operator }: EmbeddedBooks) {
  const jobs = await operator.parkedJobs()
  if (jobs.length === 0) return "Nothing waits for you."
  return jobs
    .map((job) => `${job.topic}  ${job.subject}  after ${job.tries} tries: ${job.reason ?? ""}`)
    .join("\n")
}

async function moveCatalogue({ operator }: EmbeddedBooks, [direction, file = ""]: readonly string[]) {
  if (direction === "export") {
    await writeFile(file, writeCatalogueFile(await operator.exportCatalogue()))
    return `Written to ${file}.`
  }
  if (direction !== "import") return MANUAL
  await operator.importCatalogue(readCatalogueFile(await readFile(file, "utf8")))
  return `${file} is the price list now. Running shops show it within seconds.`
}

function amount(money: Money): string {
  return `${toDecimal(money)} ${money.currency}`
}

function time(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ")
}
