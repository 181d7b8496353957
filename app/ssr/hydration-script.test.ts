import { expect, test } from "vitest"
import { renderHydrationScript } from "./hydration-script.server"

test("escapes loader data that looks like a script", async () => {
  const script = await renderHydrationScript(
    streamOf('"</script><script>alert(1)</script><!--"', "\u2028 & more"),
  )
  expect(script).not.toMatch(/[<>&\u2028]/)
})

test("the browser decodes exactly the loader data that was encoded, however it is split", async () => {
  const text = '["é","</script>","€"]\n'
  const bytes = new TextEncoder().encode(text)
  const script = await renderHydrationScript(streamOf(bytes.slice(0, 3), bytes.slice(3, 4), bytes.slice(4)))
  expect(received(script)).toBe(text)
})

function received(script: string): string {
  let text = ""
  const controller = { enqueue: (part: string) => (text += part), close: () => {} }
  new Function("window", script)({ __reactRouterContext: { streamController: controller } })
  return text
}

function streamOf(...parts: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) {
        controller.enqueue(typeof part === "string" ? new TextEncoder().encode(part) : part)
      }
      controller.close()
    },
  })
}
