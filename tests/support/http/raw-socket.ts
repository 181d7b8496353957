import { connect } from "node:net"

/**
 * What a server answers to bytes that no client of ours would send, until it hangs up; or, with `quietMs`, until
 * nothing has come for so long, where it may wait for more.
 */
export function rawResponses(origin: string, sent: string, quietMs = 0): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    let answered = ""
    const socket = connect(Number(port), hostname, () => socket.write(sent, "latin1"))
    socket.setEncoding("latin1").setTimeout(quietMs, () => socket.destroy())
    socket.on("data", (part: string) => {
      answered += part
    })
    socket.on("error", () => socket.destroy())
    socket.once("close", () => resolve(answered))
  })
}
