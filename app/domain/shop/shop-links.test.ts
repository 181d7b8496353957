import { expect, test } from "vitest"
import { appLink, deviceOf, type PlayerApp, playersFor } from "./shop-links"

const PLAYLIST = "https://shop.test:8443/checkout/playlist?line=s1&key=a%2Fb"
const ENCODED = "https%3A%2F%2Fshop.test%3A8443%2Fcheckout%2Fplaylist%3Fline%3Ds1%26key%3Da%252Fb"

const app = (open: string | null): PlayerApp => ({
  name: "Player",
  devices: ["ios"],
  store: "https://store.test/app?id=1",
  open,
})

test.each([
  [
    "VLC on an iPhone",
    "vlc-x-callback://x-callback-url/stream?url={url}",
    `vlc-x-callback://x-callback-url/stream?url=${ENCODED}`,
  ],
  [
    "VLC on Android, with its store as fallback",
    "intent://{host}{path}#Intent;scheme={scheme};package=org.videolan.vlc;S.browser_fallback_url={store};end",
    "intent://shop.test:8443/checkout/playlist?line=s1&key=a%2Fb#Intent;scheme=https;package=org.videolan.vlc;S.browser_fallback_url=https%3A%2F%2Fstore.test%2Fapp%3Fid%3D1;end",
  ],
  ["Infuse", "infuse://x-callback-url/play?url={url}", `infuse://x-callback-url/play?url=${ENCODED}`],
  [
    "VidHub",
    "open-vidhub://x-callback-url/open?url={url}",
    `open-vidhub://x-callback-url/open?url=${ENCODED}`,
  ],
])("builds the playlist link for %s", (_, template, link) => {
  expect(appLink(app(template), PLAYLIST)).toBe(link)
})

test("the link contains the http scheme of a shop without TLS", () => {
  const template = "intent://{host}{path}#Intent;scheme={scheme};end"
  expect(appLink(app(template), "http://192.0.2.7:3000/list")).toBe(
    "intent://192.0.2.7:3000/list#Intent;scheme=http;end",
  )
})

test("keeps unknown placeholders in a template", () => {
  expect(appLink(app("player://{user}?{url}"), PLAYLIST)).toBe(`player://{user}?${ENCODED}`)
})

test("a player without a link template has a store link only", () => {
  expect(appLink(app(null), PLAYLIST)).toBeNull()
  expect(playersFor([app(null)], "ios", PLAYLIST)).toEqual([
    { name: "Player", store: "https://store.test/app?id=1", open: null },
  ])
})

test("a player with a link template opens the playlist", () => {
  expect(playersFor([app("player:{url}")], "ios", PLAYLIST)).toMatchObject([{ open: `player:${ENCODED}` }])
})

test("lists the players of the device in the operator's order", () => {
  const apps: PlayerApp[] = [
    { ...app(null), name: "one", devices: ["ios", "other"] },
    { ...app(null), name: "two", devices: ["android"] },
    { ...app(null), name: "three", devices: ["ios"] },
  ]
  expect(playersFor(apps, "ios", PLAYLIST).map(({ name }) => name)).toEqual(["one", "three"])
  expect(playersFor(apps, "other", PLAYLIST).map(({ name }) => name)).toEqual(["one"])
})

test("players have no link without a playlist", () => {
  expect(playersFor([app("player:{url}")], "ios", null)).toMatchObject([{ open: null }])
})

test.each([
  ["an iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15", "ios"],
  ["an iPad", "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15", "ios"],
  ["an Android phone", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36", "android"],
  ["a computer", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36", "other"],
  ["an unknown device", null, "other"],
])("detects %s from the User-Agent", (_, userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
