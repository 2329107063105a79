-- For wrk: the paths after `--`, one after the other over all connections.
local requests = {}
local last = 0

function init(paths)
  for index, path in ipairs(paths) do
    requests[index] = wrk.format("GET", path)
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end
