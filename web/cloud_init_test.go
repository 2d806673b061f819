package web

import (
	"strings"
	"testing"
)

func TestUserDataMustBeACloudConfigThatLeavesOurs(t *testing.T) {
	for text, says := range map[string]string{
		"":                                   "",
		"#cloud-config":                      "",
		"#cloud-config\ntimezone: UTC\n":     "",
		"#cloud-config\r\nlocale: C.UTF-8\n": "",
		"timezone: UTC":                      "must begin with",
		"#cloud-boothook\n#!/bin/sh":         "must begin with",
		"#cloud-config\na: [":                "is not YAML",
		"#cloud-config\n- a":                 "must be a mapping",
		"#cloud-config\nvendor_data: {enabled: false}":                         "vendor_data",
		"#cloud-config\n\"vendor_data\": {}":                                   "vendor_data",
		"#cloud-config\n<<: {vendor_data: {enabled: false}}":                   "vendor_data",
		"#cloud-config\n<<: [{a: 1}, {vendor_data: {enabled: false}}]":         "vendor_data",
		"#cloud-config\na: 1\n---\nvendor_data: {enabled: false}":              "one document",
		"#cloud-config\na: 1\n---\n[":                                          "one document",
		"#cloud-config\na: 1\na: 2":                                            "already defined",
		"#cloud-config\n1: 2\n...\n":                                           "",
		"#cloud-config\n? [a]\n: 1":                                            "is not YAML",
		"#cloud-config\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]": "",
	} {
		err := cloudConfig(text)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}
