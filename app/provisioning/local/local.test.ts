import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, onTestFinished, test } from "vitest"
import { newLine, provisionerContract } from "../../../tests/contracts/provisioner/provisioner-contract"
import { localProvisioner } from "./local.server"

const urls = { streamUrl: "https://tv.test", panelUrl: "https://panel.test" }
const line = { ...newLine, host: urls.streamUrl }
const nowhere = join(tmpdir(), "no-such-channels.m3u")

provisionerContract("local", {
  provisioner: localProvisioner({ ...urls, channelsFile: undefined }),
  broken: localProvisioner({ ...urls, channelsFile: nowhere }),
})

test("fills the operator's channel file with the service's credentials", async () => {
  const playlist = await text(await filled("#EXTM3U\n#EXTINF:-1,One\n{host}/{username}/{password}/1\n"))
  expect(playlist).toBe("#EXTM3U\n#EXTINF:-1,One\nhttps://tv.test/TV23456789/12%2F34%2056%267/1\n")
})

test("fills a channel list of several megabytes completely", async () => {
  const playlist = await text(await filled("#EXTM3U\n{host}/{username}/{password}/1\n".repeat(100_000)))
  expect(playlist).toBe("#EXTM3U\nhttps://tv.test/TV23456789/12%2F34%2056%267/1\n".repeat(100_000))
})

test("splits a long channel list at line ends", async () => {
  const parts: string[] = []
  for await (const part of await filled("#EXTINF:-1,Один\n{host}/{username}/1\n".repeat(30_000))) {
    parts.push(Buffer.from(part).toString())
  }
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.every((part) => part.endsWith("\n"))).toBe(true)
})

test.each(["", "one line", "\n"])("keeps the channel list %j", async (list) => {
  expect(await text(await filled(list))).toBe(list)
})

test("has no playlist URL at the panel", () => {
  expect(localProvisioner({ ...urls, channelsFile: undefined }).playlistAddress(line)).toBeNull()
})

test("reports an unreadable channel file", async () => {
  const gone = localProvisioner({ ...urls, channelsFile: nowhere })
  await expect(gone.playlist(line)).rejects.toThrow("cannot read PLAYLIST_TEMPLATE_FILE")
})

test("returns the panel URL for a reseller and the stream URL for a viewer", async () => {
  const local = localProvisioner({ ...urls, channelsFile: undefined })
  expect(await local.create({ ...line, kind: "reseller" })).toEqual({ host: urls.panelUrl })
  expect(await local.create(line)).toEqual({ host: urls.streamUrl })
})

/** The playlist of a line from a channel file with this text. */
async function filled(channels: string): Promise<AsyncIterable<Uint8Array>> {
  const folder = await mkdtemp(join(tmpdir(), "channels-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const channelsFile = join(folder, "channels.m3u")
  await writeFile(channelsFile, channels)
  return localProvisioner({ ...urls, channelsFile }).playlist(line)
}
