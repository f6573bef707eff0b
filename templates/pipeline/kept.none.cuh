// What a worker keeps of a tile from its fold to its scan, besides the exclusive prefix: nothing.
#pragma once

struct Kept {};
