import { connect } from "node:net"

/**
 * Sends raw bytes and returns everything that the server responds until it closes the connection, or until it was
 * silent for `quietMs`.
 */
export function rawResponses(origin: string, sent: string, quietMs = 0): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    let response = ""
    const socket = connect(Number(port), hostname, () => socket.write(sent, "latin1"))
    socket.setEncoding("latin1").setTimeout(quietMs, () => socket.destroy())
    socket.on("data", (part: string) => {
      response += part
    })
    socket.on("error", () => socket.destroy())
    socket.once("close", () => resolve(response))
  })
}
