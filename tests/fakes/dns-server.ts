import { createSocket } from "node:dgram"

/** What the server answers to a name: the strings of each TXT record, an error code, or nothing. */
export type DnsAnswer = readonly (readonly string[])[] | "NXDOMAIN" | "SERVFAIL" | "silence"

const TXT = 16
const responseCodes = { NXDOMAIN: 3, SERVFAIL: 2 } as const

/** Starts a DNS server (RFC 1035) on loopback that answers TXT queries. Unknown names do not exist. */
export async function startDnsServer(answers: Readonly<Record<string, DnsAnswer>>) {
  const socket = createSocket("udp4")
  const asked: string[] = []
  socket.on("message", (query, from) => {
    const question = questionOf(query)
    asked.push(question.name)
    const answer = answers[question.name] ?? "NXDOMAIN"
    if (answer !== "silence") socket.send(response(query, question, answer), from.port, from.address)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.bind(0, "127.0.0.1", resolve)
  await promise
  return {
    /** As `Resolver.setServers` takes it. */
    address: `127.0.0.1:${socket.address().port}`,
    /** The names that were asked for, in order. */
    asked,
    close: () => new Promise<void>((closed) => socket.close(closed)),
  }
}

const HEADER = 12

/** The first question of a query: its name, and where it ends. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  // The root label, type and class.
  return { name: labels.join(".").toLowerCase(), end: at + 5 }
}

function response(query: Buffer, { end }: { end: number }, answer: Exclude<DnsAnswer, "silence">): Buffer {
  const records = typeof answer === "string" ? [] : answer.map(record)
  const header = Buffer.alloc(HEADER)
  query.copy(header, 0, 0, 2)
  // A response to a recursive query, recursion available, and the response code.
  header.writeUInt16BE(0x8180 | (typeof answer === "string" ? responseCodes[answer] : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(HEADER, end), ...records])
}

function record(strings: readonly string[]): Buffer {
  const data = Buffer.concat(strings.flatMap((it) => [Buffer.from([it.length]), Buffer.from(it, "latin1")]))
  const head = Buffer.alloc(HEADER)
  // A pointer to the question's name.
  head.writeUInt16BE(0xc000 | HEADER, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
