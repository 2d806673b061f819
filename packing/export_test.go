package packing

// What tests outside the package, which draw instances, need of the inside.
var PlainPack, PlainSearch = plainPack, plainSearch
