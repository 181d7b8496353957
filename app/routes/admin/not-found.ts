export function loader() {
  return new Response(null, { status: 404 })
}

export const action = loader
