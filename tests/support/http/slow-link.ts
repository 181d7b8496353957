import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { FIRST_FLIGHT } from "./first-flight"

/** `roundTrip` in milliseconds, `rate` in bytes per millisecond. */
export type Link = { readonly roundTrip: number; readonly rate: number }

/** The link of Lighthouse's mobile profile: 150 ms and 1.6 Mbit/s. */
export const slow4G: Link = { roundTrip: 150, rate: 204.8 }

const SEGMENT = 1_460

/** A link down to a phone; all its connections share the rate. Times are milliseconds of any clock that does not go back. */
export type Downlink = { readonly connection: () => DownConnection }

/** Returns when the last byte of `size` bytes arrives that the server writes at `at`. */
export type DownConnection = (size: number, at: number) => number

/**
 * A downlink with slow start (RFC 5681): a server has at most its congestion window on the way, ten segments at first (RFC 6928),
 * and one byte more for each byte that was acknowledged. Nothing is lost.
 */
export function downlink({ roundTrip, rate }: Link): Downlink {
  let freeAt = 0

  function connection(): DownConnection {
    const unacknowledged: { readonly size: number; readonly acknowledgedAt: number }[] = []
    let inFlight = 0
    let window = FIRST_FLIGHT
    let sentAt = 0

    function arrivalOf(size: number): number {
      while (inFlight + size > window) acknowledgeFirst()
      inFlight += size
      freeAt = Math.max(sentAt + roundTrip / 2, freeAt) + size / rate
      unacknowledged.push({ size, acknowledgedAt: freeAt + roundTrip / 2 })
      return freeAt
    }

    /** The server waits for the next acknowledgement, or has it already. */
    function acknowledgeFirst() {
      const first = unacknowledged.shift()
      if (!first) throw new Error("A segment is larger than the window")
      inFlight -= first.size
      window += first.size
      sentAt = Math.max(sentAt, first.acknowledgedAt)
    }

    return (size, at) => {
      sentAt = Math.max(sentAt, at)
      while (unacknowledged[0] && unacknowledged[0].acknowledgedAt <= sentAt) acknowledgeFirst()
      let arrival = sentAt
      for (let left = size; left > 0; left -= SEGMENT) arrival = arrivalOf(Math.min(left, SEGMENT))
      return arrival
    }
  }

  return { connection }
}

/** A shop behind a slow link; `url` is `http://127.0.0.1:PORT`. */
export type SlowLink = {
  readonly url: string
  /** Closes what is open, as a browser does that comes back later: its next request needs a new connection. */
  disconnect(): void
  close(): Promise<void>
}

/** Opens a slow link to a shop. A connection takes a round trip to be made; requests are small and take half a round trip. */
export async function openSlowLink(origin: string, link: Link): Promise<SlowLink> {
  const { hostname, port } = new URL(origin)
  const down = downlink(link)
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    return socket.setNoDelay(true).on("close", () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    const upstream = track(connect({ host: hostname, port: Number(port) }))
    track(client).on("error", () => client.destroy())
    upstream.on("error", () => client.destroy())
    client.on("close", () => upstream.destroy())
    const madeAt = performance.now() + link.roundTrip
    const arrivalOf = down.connection()
    const toShop = inTime((request) => upstream.write(request))
    const toPhone = inTime((segment) => client.write(segment))
    client.on("data", (request: Buffer) =>
      toShop.send(request, Math.max(madeAt, performance.now()) + link.roundTrip / 2),
    )
    upstream.on("data", (answer: Buffer) => {
      for (let from = 0; from < answer.length; from += SEGMENT) {
        const segment = answer.subarray(from, from + SEGMENT)
        toPhone.send(segment, arrivalOf(segment.length, performance.now()))
      }
    })
    upstream.on("end", () => toPhone.end(() => client.end()))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const disconnect = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disconnect,
    async close() {
      const closed = once(server, "close")
      server.close()
      disconnect()
      await closed
    },
  }
}

/** Passes parts on in their order, each not before its time, as `performance.now` has it. */
function inTime(pass: (part: Buffer) => void) {
  const waiting: { readonly part: Buffer; readonly at: number }[] = []
  let afterLast: (() => void) | null = null
  let timer: NodeJS.Timeout | null = null

  function passDue() {
    timer = null
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (next.at > performance.now()) return wait(next.at)
      pass(next.part)
      waiting.shift()
    }
    afterLast?.()
  }

  function wait(until: number) {
    timer = setTimeout(passDue, Math.ceil(until - performance.now()))
  }

  return {
    send(part: Buffer, at: number) {
      waiting.push({ part, at })
      if (timer === null) wait(at)
    },
    /** Calls back once everything has been passed on. */
    end(done: () => void) {
      afterLast = done
      if (timer === null) done()
    },
  }
}
